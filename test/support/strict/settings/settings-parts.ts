/** Values that the settings of several formats share. */
export const pdf = 'JVBERi0xLjQKJcfsj6IK'
export const richSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, pattern: '^a' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    tree: { $ref: '#/$defs/node' },
  },
  required: ['name'],
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
}
export const strictSchema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
}
