import { z } from 'zod'

/** Returns an enum that also reads former names of its words for one version. @param former the current word by its former name */
export function withFormerWords<const Words extends readonly string[]>(
  words: Words,
  former: Readonly<Record<string, Words[number]>>,
) {
  return z
    .enum([...words, ...Object.keys(former)])
    .meta({ enum: [...words] })
    .transform((word): string => former[word] ?? word)
    .pipe(z.enum(words))
}
