-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "page_lines" TEXT NOT NULL DEFAULT '{}';
