-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "strong" BOOLEAN;
