-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "proved_at" TIMESTAMPTZ(3);
