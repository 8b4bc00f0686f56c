-- AlterTable
ALTER TABLE "client_contacts" ADD COLUMN "owner" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN "agent" BOOLEAN NOT NULL DEFAULT false;
