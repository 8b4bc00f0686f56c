-- AlterTable
ALTER TABLE "users" ADD COLUMN "app_order" TEXT;
