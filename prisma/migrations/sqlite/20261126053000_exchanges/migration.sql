-- AlterTable
ALTER TABLE "authorizations" ADD COLUMN "parent_id" TEXT;
ALTER TABLE "authorizations" ADD COLUMN "subject_hash" TEXT;
ALTER TABLE "authorizations" ADD COLUMN "lineage" TEXT NOT NULL DEFAULT '';
ALTER TABLE "authorizations" ADD COLUMN "onward" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "clients" ADD COLUMN "exchange_for" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "authorizations_parent_id_idx" ON "authorizations"("parent_id");
