-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "jwks" TEXT,
ADD COLUMN     "jwks_uri" TEXT;
