import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Options } from 'tsup'
import { WIDE_FONTS, COMPRESSED } from '../../adapters/documents/fonts.ts'
import { REFERENCE } from '../http/pages/asset.ts'
import { PANEL_SCRIPT } from '../real-estate/panel/assets.ts'

const FILE = 'THIRD-PARTY-LICENSES.txt'
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
const LEGAL = /^(licen[cs]e|copying|notice)/i

interface About {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** What a package says of its terms: its own files, or what its `package.json` has where there are none. */
const termsOf = (folder: string): string => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as About
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && LEGAL.test(file.name))
  const texts = files.map((file) => readFileSync(join(folder, file.name), 'utf8').trim())
  const holder = typeof author === 'object' ? author.name : author
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [`by ${holder ?? 'its authors'}`])].join(
    '\n\n',
  )
}

/** Some packages have folders with a `package.json` of their own that says no more than how its files are read. */
const isPackage = (folder: string): boolean => existsSync(join(folder, 'package.json'))

/** Writes down the terms of every package that goes into what is built. */
export const licences: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'licences',
  setup(building) {
    const outdir = building.initialOptions.outdir ?? ''
    building.onEnd(async ({ metafile }) => {
      const files = [...Object.keys(metafile?.inputs ?? {}), ...docsAssetFiles, ...fontAssetFiles, ...panelAssetFiles]
      const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []).filter(isPackage))
      const terms = [...folders].map(termsOf).sort()
      await mkdir(outdir, { recursive: true })
      await writeFile(join(outdir, FILE), `${terms.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
    })
  },
}

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

/** The files whose packages are served. */
export const docsAssetFiles: readonly string[] = [resolve('@scalar/fastify-api-reference')]

/**
 * The script of the documentation page, as a server of theirs gives it: the package for these brings it whole, where the
 * renderer's own brings the 366 packages that it is made of.
 */
const referenceScript = async (): Promise<string> => {
  const server = fastify()
  await server.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject('/docs/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the script of the documentation page: ${statusCode}`)
  return body.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')
}

/** Puts it beside what is built, as it is sent. */
export const docsAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'docs-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, REFERENCE), gzipSync(await referenceScript()))
    })
  },
}

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
        await writeFile(join(folder, `${basename(file)}${COMPRESSED}`), brotliCompressSync(await readFile(file)))
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

/** The files whose packages go into the script of the panel. */
export const panelAssetFiles: readonly string[] = [resolve('chart.js'), resolve('@kurkle/color')]

/** Makes the script of the panel, its charts included, and puts it beside what is built, as it is sent. */
export const panelAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'panel-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      const { outputFiles } = await building.esbuild.build({
        entryPoints: [join(process.cwd(), 'apps/real-estate/panel/browser/main.ts')],
        bundle: true,
        minify: true,
        format: 'iife',
        platform: 'browser',
        target: 'es2022',
        write: false,
        legalComments: 'none',
      })
      await mkdir(folder, { recursive: true })
      for (const { contents } of outputFiles) await writeFile(join(folder, PANEL_SCRIPT), gzipSync(contents))
    })
  },
}
