-- AlterTable
ALTER TABLE "authorizations" ADD COLUMN     "lineage" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "onward" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "parent_id" TEXT,
ADD COLUMN     "subject_hash" TEXT;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "exchange_for" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "authorizations_parent_id_idx" ON "authorizations"("parent_id");
