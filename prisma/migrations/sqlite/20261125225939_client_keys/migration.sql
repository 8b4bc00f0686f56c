-- AlterTable
ALTER TABLE "clients" ADD COLUMN "jwks" TEXT;
ALTER TABLE "clients" ADD COLUMN "jwks_uri" TEXT;
