-- AlterTable
ALTER TABLE "users" ADD COLUMN     "known_from" TIMESTAMPTZ(3);
