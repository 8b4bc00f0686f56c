-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "recipe" TEXT;
