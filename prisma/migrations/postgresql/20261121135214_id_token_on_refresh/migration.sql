-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "id_token_on_refresh" BOOLEAN NOT NULL DEFAULT true;
