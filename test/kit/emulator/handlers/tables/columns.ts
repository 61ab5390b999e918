/** A column of a Table; `kubectl get` shows priority 1 only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export function column(name: string, description = '', priority = 0): Column {
  return { name, type: 'string', format: '', description, priority };
}

export const nameColumn: Column = {
  ...column(
    'Name',
    'Name must be unique within a namespace. Is required when creating resources, although some resources may ' +
      'allow a client to request the generation of an appropriate name automatically. Name is primarily intended ' +
      'for creation idempotence and configuration definition. Cannot be updated. More info: ' +
      'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  ),
  format: 'name',
};

export const ageColumn: Column = column(
  'Age',
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
    'guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It ' +
    'is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More ' +
    'info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
);
