import test from 'ava'
import { deviceText } from '../../../../apps/panels/browser/format.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

for (const [name, agent] of [
  ['Chrome em Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`],
  ['Edge em Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0`],
  [
    'Samsung Internet em Android',
    `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/25.0 Chrome/121 Mobile Safari/5`,
  ],
  ['Firefox em Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['Safari em Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15'],
  [
    'Chrome em iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 CriOS/126.0 Safari/604.1',
  ],
  ['curl', 'curl/8.5.0'],
  ['Aparelho desconhecido', null],
  ['Aparelho desconhecido', ' '],
] as const)
  test(`names ${agent} "${name}"`, (t) => t.is(deviceText(agent), name))
