-- AlterTable
ALTER TABLE "grants" ADD COLUMN "answered_to" TEXT;
