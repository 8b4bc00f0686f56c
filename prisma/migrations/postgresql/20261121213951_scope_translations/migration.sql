-- AlterTable
ALTER TABLE "scopes" ADD COLUMN     "translations" TEXT NOT NULL DEFAULT '{}';
