import { packZip } from '../../../lib/media/zip/packed.ts'
import type { ArrivingFile } from './arriving-file.ts'

/** Archives with one file per stream that cannot be published. */
export function brokenZips(): ArrivingFile[] {
  const refused = (name: string, message: RegExp, make: () => Uint8Array): ArrivingFile => ({
    ...{ name, mode: 'individual', make: async () => make() },
    expect: { status: 'failed', message },
  })
  const bomb = { name: 'bomb.webm', bytes: Buffer.alloc(8 * 2 ** 20), isDeflated: true }
  return [
    refused('an empty zip', /^The zip is empty: it has zero bytes\.$/, () => Buffer.alloc(0)),
    refused('a text named zip', /^The zip cannot be read .*not a zip file/, () =>
      Buffer.from('No zip at all.\n'.repeat(50)),
    ),
    refused(
      'a zip that leads out of its folder',
      /^The zip cannot be read \(invalid relative path: \.\.\/\.\.\/evil\.webm\)\.$/,
      () => packZip([{ name: '../../evil.webm', bytes: 'evil' }]),
    ),
    refused('a zip bomb', /"bomb\.webm" unpacks from \d+ bytes to 8388608, as only a zip bomb does/, () =>
      packZip([bomb]),
    ),
    refused('a zip whose files share bytes', /overlaps/, () =>
      packZip([
        { name: 'a.webm', bytes: 'a' },
        { name: 'b.webm', bytes: 'b', claims: { offset: 0 } },
      ]),
    ),
    refused('a zip without a manifest', /it has 0 manifests \(\.json\), not one\.$/, () =>
      packZip([{ name: 'a.webm', bytes: 'a' }]),
    ),
  ]
}
