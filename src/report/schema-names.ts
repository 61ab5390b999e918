/** The documents that have a JSON Schema. Apart from the schemas, which take long to load. */
export const schemaNames = [
  'sweep-report',
  'sweep-record',
  'sweep-policy',
  'history',
  'scan',
  'advice',
  'pod-explanation',
  'access-report',
  'profile-list',
] as const;

export type SchemaName = (typeof schemaNames)[number];
