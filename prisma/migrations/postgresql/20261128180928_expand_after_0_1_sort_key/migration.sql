-- AlterTable
-- Keys compare byte by byte, as on SQLite.
ALTER TABLE "users" ADD COLUMN     "sort_key" TEXT COLLATE "C";

-- By the name that lists show. Prisma has no word for an index on an expression.
CREATE INDEX "users_sort_key_idx" ON "users"(coalesce("sort_key", "name_key", "username_key"), "id");
