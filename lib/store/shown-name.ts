/**
 * SQL for the name that admins see for a client, as `nameForAdmins` writes it: for a client that
 * registered itself, its host, followed by the name that it gives itself.
 * @param clients what the statement calls the table of clients
 */
export const shownName = (clients: string) =>
  `COALESCE((SELECT i.host || ' (“' || ${clients}.name || '”)' FROM client_introductions i
    WHERE i.client_id = ${clients}.id AND ${clients}.origin <> 'admin'), ${clients}.name)`;
