-- Of people whose names looked alike before it was kept what a name looks like, one has it.
UPDATE "users" SET "username_glance" = NULL WHERE EXISTS (
  SELECT 1 FROM "users" AS "other"
  WHERE "other"."username_glance" = "users"."username_glance" AND "other"."id" < "users"."id");

-- DropIndex
DROP INDEX "users_username_glance_idx";

-- CreateIndex
CREATE UNIQUE INDEX "users_username_glance_key" ON "users"("username_glance");
