-- AlterTable
ALTER TABLE "users" ADD COLUMN "last_used_at" DATETIME;
