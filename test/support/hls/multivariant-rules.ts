import { type Playlist, type Tag, unquoted } from './parse.ts'
import { described, failing, type Rule, tagsOf } from './rule.ts'

const medias = (playlist: Playlist) => tagsOf(playlist, 'EXT-X-MEDIA')
const variants = (playlist: Playlist) => tagsOf(playlist, 'EXT-X-STREAM-INF')
const iframes = (playlist: Playlist) => tagsOf(playlist, 'EXT-X-I-FRAME-STREAM-INF')
const groupOf = ({ attributes }: Tag) => `${attributes.get('TYPE')} ${attributes.get('GROUP-ID')}`
const groupsOf = (playlist: Playlist) =>
  Object.values(Object.groupBy(medias(playlist), groupOf)).map((group) => group ?? [])
const uriAfter = ({ lines }: Playlist, { line }: Tag) => lines[line]
const isUri = (line: string | undefined) => line !== undefined && line !== '' && !line.startsWith('#')

/** Rules of a multivariant playlist. */
export const multivariantRules: readonly Rule[] = [
  {
    section: '4.4.6.1',
    says: 'EXT-X-MEDIA has a TYPE, a GROUP-ID and a NAME',
    breaches: (playlist) =>
      failing(medias(playlist), ({ attributes }) => {
        const isTyped = /^(AUDIO|VIDEO|SUBTITLES|CLOSED-CAPTIONS)$/.test(attributes.get('TYPE') ?? '')
        return isTyped && Boolean(unquoted(attributes.get('GROUP-ID')) && unquoted(attributes.get('NAME')))
      }),
  },
  {
    section: '4.4.6.1',
    says: 'subtitles have a URI, and closed captions an INSTREAM-ID and no URI',
    breaches: (playlist) =>
      failing(medias(playlist), ({ attributes }) => {
        const type = attributes.get('TYPE')
        if (type === 'SUBTITLES') return attributes.has('URI')
        return type !== 'CLOSED-CAPTIONS' || (attributes.has('INSTREAM-ID') && !attributes.has('URI'))
      }),
  },
  {
    section: '4.4.6.1',
    says: 'DEFAULT=YES does not go with AUTOSELECT=NO',
    breaches: (playlist) =>
      failing(
        medias(playlist),
        ({ attributes }) => !(attributes.get('DEFAULT') === 'YES' && attributes.get('AUTOSELECT') === 'NO'),
      ),
  },
  {
    section: '4.4.6.1',
    says: 'FORCED is for subtitles',
    breaches: (playlist) =>
      failing(
        medias(playlist),
        ({ attributes }) => !attributes.has('FORCED') || attributes.get('TYPE') === 'SUBTITLES',
      ),
  },
  {
    section: '4.4.6.1.1',
    says: 'the names in a group differ',
    breaches: (playlist) =>
      groupsOf(playlist).flatMap((group) =>
        failing(
          group,
          (tag) => group.find(({ attributes }) => attributes.get('NAME') === tag.attributes.get('NAME')) === tag,
        ),
      ),
  },
  {
    section: '4.4.6.1.1',
    says: 'a group has at most one rendition with DEFAULT=YES',
    breaches: (playlist) =>
      groupsOf(playlist).flatMap((group) =>
        group
          .filter(({ attributes }) => attributes.get('DEFAULT') === 'YES')
          .slice(1)
          .map(described),
      ),
  },
  {
    section: '4.4.6.2',
    says: 'EXT-X-STREAM-INF is followed by a URI, and each URI follows one',
    breaches: (playlist) => [
      ...failing(variants(playlist), (tag) => isUri(uriAfter(playlist, tag))),
      ...playlist.lines.flatMap((line, index) =>
        isUri(line) && !variants(playlist).some((tag) => tag.line === index) ? [`line ${index + 1}, ${line}`] : [],
      ),
    ],
  },
  {
    section: '4.4.6.2',
    says: 'a variant has a BANDWIDTH above zero, which its AVERAGE-BANDWIDTH does not exceed',
    breaches: (playlist) =>
      failing([...variants(playlist), ...iframes(playlist)], ({ attributes }) => {
        const peak = Number(attributes.get('BANDWIDTH'))
        return peak > 0 && Number(attributes.get('AVERAGE-BANDWIDTH') ?? 0) <= peak
      }),
  },
  {
    section: '4.4.6.2',
    says: 'the group that a variant names is there',
    breaches: (playlist) => {
      const groups = new Set(medias(playlist).map(groupOf))
      return variants(playlist).flatMap((tag) =>
        ['AUDIO', 'VIDEO', 'SUBTITLES', 'CLOSED-CAPTIONS'].flatMap((type) => {
          const named = tag.attributes.get(type)
          const isThere = named === undefined || named === 'NONE' || groups.has(`${type} ${named}`)
          return isThere ? [] : [`line ${tag.line}, ${type} ${named}`]
        }),
      )
    },
  },
  {
    section: '4.4.6.2',
    says: 'CLOSED-CAPTIONS=NONE is on all variants or on none',
    breaches: (playlist) => {
      const without = failing(variants(playlist), ({ attributes }) => attributes.get('CLOSED-CAPTIONS') === 'NONE')
      return without.length < variants(playlist).length ? without : []
    },
  },
  {
    section: '4.4.6.3',
    says: 'EXT-X-I-FRAME-STREAM-INF has a URI, and no attribute of sound or of frames per second',
    breaches: (playlist) =>
      failing(iframes(playlist), ({ attributes }) => {
        const foreign = ['FRAME-RATE', 'AUDIO', 'SUBTITLES', 'CLOSED-CAPTIONS'].some((name) => attributes.has(name))
        return Boolean(unquoted(attributes.get('URI'))) && !foreign
      }),
  },
]
