-- AlterTable
ALTER TABLE "batch_items" ADD COLUMN "kept" TEXT;

-- AlterTable
ALTER TABLE "batches" ADD COLUMN "chosen" TEXT;
ALTER TABLE "batches" ADD COLUMN "note" TEXT;
ALTER TABLE "batches" ADD COLUMN "undoes" TEXT;
