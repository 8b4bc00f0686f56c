-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "accent" TEXT;
