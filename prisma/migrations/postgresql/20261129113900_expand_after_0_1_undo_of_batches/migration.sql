-- AlterTable
ALTER TABLE "batch_items" ADD COLUMN     "kept" TEXT;

-- AlterTable
ALTER TABLE "batches" ADD COLUMN     "chosen" TEXT,
ADD COLUMN     "note" TEXT,
ADD COLUMN     "undoes" TEXT;
