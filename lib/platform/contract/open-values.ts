import { z } from 'zod'

/** One of the listed values, or any other string; editors complete the listed ones. */
export type OpenValue<T> = T extends string ? (string extends T ? T : T | (string & {})) : T

/** A string from the platform: one of the listed values, or another that a newer platform sends. */
export const orOther = <const Known extends readonly [string, ...string[]]>(
  known: Known,
): z.ZodType<OpenValue<Known[number]>, OpenValue<Known[number]>> =>
  z.union([z.enum(known), z.string().min(1)]) as unknown as z.ZodType<
    OpenValue<Known[number]>,
    OpenValue<Known[number]>
  >
