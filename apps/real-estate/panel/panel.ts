import { right } from '../../../core/fp.ts'
import { IMMUTABLE, REVALIDATED } from '../../http/pages/asset.ts'
import { homeOf } from '../../http/pages/home.ts'
import { PAGE_TYPE } from '../../http/pages/page.ts'
import { bytes, text } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { panelPage } from './panel-page.ts'
import { panelScript, type SentScript, scriptMark } from './panel-script.ts'
import type { SignIn } from './sign-in.ts'

const about = {
  area: 'Painel',
  dialect: 'estate',
  auth: 'public',
  methods: ['GET'],
  input: {},
  // All that can go wrong: where a limit for all is set.
  errors: { 'rate.limited': {} },
} as const

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const VARIES = { Vary: 'Accept-Encoding, Origin' }

const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

const scriptRow: AnyRow = route({
  ...about,
  name: 'panel.script',
  summary: 'O programa do painel, com os gráficos',
  paths: ['/panel/panel.js'],
  run:
    ({ request }) =>
    async () =>
      right(await panelScript(TAKES_GZIP.test(request.header('accept-encoding') ?? ''), request.query.v)),
  reply: bytes<SentScript>({
    type: SCRIPT_TYPE,
    headers: ({ isZipped, isMarked }) => ({
      ...VARIES,
      'Cache-Control': isMarked ? IMMUTABLE : REVALIDATED,
      ...(isZipped && { 'Content-Encoding': 'gzip' }),
    }),
    async *chunks({ bytes: script }) {
      yield script
    },
  }),
  example: { reply: 'bytes' },
})

const places = [
  { path: '/docs', about: 'a documentação, em que se experimenta cada rota' },
  { path: '/panel', about: 'o painel da imobiliária' },
]

const homeRow: AnyRow = route({
  ...about,
  name: 'home.show',
  summary: 'Diz onde estão a documentação e o painel',
  paths: ['/'],
  ...homeOf({
    title: 'Portico: imobiliária',
    places,
    plain: places.map((place) => `${place.path}: ${place.about}\n`).join(''),
  }),
  example: { reply: `${places[0]?.path}` },
})

/** A page for who would rather look than read; null where nobody said where people sign in. Source: decisions.md §7. */
export const panelRows = (signIn: SignIn | null): readonly AnyRow[] => {
  const { headers, page } = panelPage(signIn)
  const pageRow = route({
    ...about,
    name: 'panel.page',
    summary: 'O painel da imobiliária, para quem prefere olhar a ler',
    paths: ['/panel'],
    run: () => async () => right(await scriptMark()),
    reply: text<string>({ type: PAGE_TYPE, headers, view: (mark, { path }) => page(mark, path) }),
    example: { reply: null },
  })
  return [homeRow, pageRow, scriptRow]
}
