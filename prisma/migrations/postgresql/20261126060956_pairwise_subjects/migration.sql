-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "sector_identifier_uri" TEXT,
ADD COLUMN     "subject_type" TEXT NOT NULL DEFAULT 'public';

-- CreateTable
CREATE TABLE "pairwise_keys" (
    "id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "pairwise_keys_pkey" PRIMARY KEY ("id")
);
