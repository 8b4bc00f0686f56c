-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "federated_credentials" TEXT NOT NULL DEFAULT '[]';
