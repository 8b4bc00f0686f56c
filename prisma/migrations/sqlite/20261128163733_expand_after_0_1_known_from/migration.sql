-- AlterTable
ALTER TABLE "users" ADD COLUMN "known_from" DATETIME;
