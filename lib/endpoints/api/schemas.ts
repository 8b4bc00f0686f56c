export const problemSchema = {
  type: 'object',
  description: 'Why nothing was done (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    request_id: { type: 'string', description: 'The id of the request in the server log.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, detail: { type: 'string' } },
        required: ['field', 'detail'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'request_id'],
};

export const planSchema = {
  type: 'object',
  description: 'The events that the audit log would get.',
  properties: {
    plan: { const: true },
    changes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          user_id: { type: ['string', 'null'] },
          client_id: { type: ['string', 'null'] },
          detail: { type: 'object' },
        },
        required: ['type', 'user_id', 'client_id', 'detail'],
      },
    },
  },
  required: ['plan', 'changes'],
};
