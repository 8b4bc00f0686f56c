/**
 * SQL for what admins read a client by, as `nameForAdmins` says it: one that registered itself by where
 * it leads, and what it calls itself behind that.
 * @param clients the table of clients, as the statement calls it
 */
export const shownName = (clients: string) =>
  `COALESCE((SELECT i.host || ' (“' || ${clients}.name || '”)' FROM client_introductions i
    WHERE i.client_id = ${clients}.id AND ${clients}.origin <> 'admin'), ${clients}.name)`;
