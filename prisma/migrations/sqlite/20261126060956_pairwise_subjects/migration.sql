-- AlterTable
ALTER TABLE "clients" ADD COLUMN "subject_type" TEXT NOT NULL DEFAULT 'public';
-- AlterTable
ALTER TABLE "clients" ADD COLUMN "sector_identifier_uri" TEXT;
-- CreateTable
CREATE TABLE "pairwise_keys" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL
);
