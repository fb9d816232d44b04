import { right } from '../../../core/fp.ts'
import { asset, textAsset } from '../../http/pages/asset.ts'
import { homeOf } from '../../http/pages/home.ts'
import { PAGE_TYPE } from '../../http/pages/page.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { panelPage } from './panel-page.ts'
import { panelScript, SCRIPT_TYPE } from './panel-script.ts'
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

const scriptRow: AnyRow = route({
  ...about,
  name: 'panel.script',
  summary: 'O programa do painel, com os gráficos',
  paths: ['/panel/panel.js'],
  run: () => async () => right(await panelScript()),
  reply: asset(SCRIPT_TYPE),
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
    links: places,
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
    run:
      ({ request }) =>
      async () =>
        right(await textAsset(PAGE_TYPE, page((await panelScript()).tag, request.path))),
    reply: asset(PAGE_TYPE, headers),
    example: { reply: null },
  })
  return [homeRow, pageRow, scriptRow]
}
