import { delimited, type Type, varint, writeField } from './fields.ts';

export const text: Type = {
  wireType: delimited,
  zero: '',
  write(writer, value) {
    if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a string`);
    writer.text(value);
  },
};

export const integer: Type = {
  wireType: varint,
  zero: 0,
  write(writer, value) {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${JSON.stringify(value)} is not a whole number`);
    writer.varint(value as number);
  },
};

export const flag: Type = {
  wireType: varint,
  zero: false,
  write(writer, value) {
    if (typeof value !== 'boolean') throw new TypeError(`${JSON.stringify(value)} is not a boolean`);
    writer.varint(Number(value));
  },
};

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity_proto.go */
export const quantity: Type = {
  wireType: delimited,
  zero: '0',
  write(writer, value) {
    // In manifests, whole numbers need no quotes.
    writeField(writer, 1, text, typeof value === 'number' ? String(value) : value);
  },
};

/**
 * Seconds, and nanoseconds that are always 0; Go's zero time is an empty message.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/time_proto.go
 */
export const time: Type = {
  wireType: delimited,
  zero: null,
  write(writer, value) {
    if (value === null) return;
    writeField(writer, 2, integer, 0);
    writeField(writer, 1, integer, Math.floor(Date.parse(String(value)) / 1000));
  },
};

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/util/intstr/generated.proto */
export const intOrText: Type = {
  wireType: delimited,
  zero: 0,
  write(writer, value) {
    const isText = typeof value === 'string';
    writeField(writer, 3, text, isText ? value : '');
    writeField(writer, 2, integer, isText ? 0 : value);
    writeField(writer, 1, integer, Number(isText));
  },
};

/** Managed fields are JSON in protobuf as well. */
export const rawJson: Type = {
  wireType: delimited,
  zero: null,
  write: (writer, value) => writeField(writer, 1, text, JSON.stringify(value)),
};
