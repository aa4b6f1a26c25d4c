import { z } from 'zod'

/**
 * Returns an enum that also reads the former names of its words. They are read for one version; documents name only the
 * current words.
 * @param former the current word by its former name
 */
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
