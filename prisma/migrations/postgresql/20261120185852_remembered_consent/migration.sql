-- AlterTable
ALTER TABLE "grants" ADD COLUMN "remembered" TEXT NOT NULL DEFAULT '';

-- What was given so far was remembered.
UPDATE "grants" SET "remembered" = "scopes";
