import { z } from 'zod'

/** One of the listed values, or any other string. Editors complete the listed values. */
export type OpenValue<T> = T extends string ? (string extends T ? T : T | (string & {})) : T

/** Returns a schema of a listed value or of another string, which a newer platform may send. */
export const orOther = <const Known extends readonly [string, ...string[]]>(
  known: Known,
): z.ZodType<OpenValue<Known[number]>, OpenValue<Known[number]>> =>
  z.union([z.enum(known), z.string().min(1)]) as unknown as z.ZodType<
    OpenValue<Known[number]>,
    OpenValue<Known[number]>
  >
