import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Options } from 'tsup'
import { WIDE_FONTS, ZIPPED } from '../../adapters/pdf/fonts.ts'

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

const fonts = Object.values(WIDE_FONTS).map((file) => resolve(`dejavu-fonts-ttf/ttf/${file}`))
const FONTKIT = resolve('@pdf-lib/fontkit/dist/fontkit.es.min.js')

/** The files whose packages go into what documents are written with. */
export const fontAssetFiles: readonly string[] = [FONTKIT, ...fonts]

/** Puts the fonts of documents beside what is built, compressed, and small what puts them into a document. */
export const fontAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'font-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onResolve({ filter: /^@pdf-lib\/fontkit$/ }, () => ({ path: './assets/fontkit.js', external: true }))
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      for (const file of fonts)
        await writeFile(join(folder, `${basename(file)}${ZIPPED}`), brotliCompressSync(await readFile(file)))
      await building.esbuild.build({
        entryPoints: [FONTKIT],
        outfile: join(folder, 'fontkit.js'),
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2023',
        charset: 'utf8',
        legalComments: 'none',
      })
    })
  },
}
