-- AlterTable
ALTER TABLE "users" ADD COLUMN "sort_key" TEXT;

-- By the name that lists show. Prisma has no word for an index on an expression.
CREATE INDEX "users_sort_key_idx" ON "users"(coalesce("sort_key", "name_key", "username_key"), "id");
