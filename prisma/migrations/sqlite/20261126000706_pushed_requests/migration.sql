-- AlterTable
ALTER TABLE "clients" ADD COLUMN "require_pushed_authorization_requests" BOOLEAN;
