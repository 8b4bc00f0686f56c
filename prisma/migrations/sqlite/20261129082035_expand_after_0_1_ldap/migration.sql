-- AlterTable
ALTER TABLE "clients" ADD COLUMN "ldap" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "clients" ADD COLUMN "ldap_passwords" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "posix_numbers" (
    "subject" TEXT NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "posix_numbers_number_key" ON "posix_numbers"("number");
