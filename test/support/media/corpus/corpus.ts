import type { ArrivingFile } from './arriving-file.ts'
import { brokenFiles } from './broken-files.ts'
import { brokenZips } from './broken-zips.ts'
import { plain } from './clip-maker.ts'
import { unusualFiles } from './unusual-files.ts'

/** A plain recording, and files that are damaged or unusual. */
export const corpus: readonly ArrivingFile[] = [
  { name: 'a plain recording', make: plain, expect: { status: 'complete' } },
  ...brokenFiles(),
  ...unusualFiles(),
  ...brokenZips(),
]
