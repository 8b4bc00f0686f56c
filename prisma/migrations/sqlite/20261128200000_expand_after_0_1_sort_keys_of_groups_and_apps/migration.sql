-- AlterTable
ALTER TABLE "clients" ADD COLUMN "sort_key" TEXT;
ALTER TABLE "user_groups" ADD COLUMN "sort_key" TEXT;

-- By name. Prisma has no word for an index on an expression.
CREATE INDEX "user_groups_sort_key_idx" ON "user_groups"(coalesce("sort_key", "name_key"), "id");
CREATE INDEX "clients_sort_key_idx" ON "clients"(coalesce("sort_key", ''), "id");
