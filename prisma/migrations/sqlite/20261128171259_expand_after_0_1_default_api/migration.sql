-- AlterTable
ALTER TABLE "clients" ADD COLUMN "default_api" TEXT;
