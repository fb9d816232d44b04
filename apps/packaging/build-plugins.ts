import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Options } from 'tsup'
import { COMPRESSED, WIDE_FONTS } from '../../adapters/documents/fonts.ts'
import { REFERENCE } from '../http/pages/asset.ts'
import { PANEL_SCRIPTS } from '../panels/script.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const FILE = 'THIRD-PARTY-LICENSES.txt'
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
const LEGAL = /^(licen[cs]e|copying|notice)/i

interface About {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** Returns the licence of a package: its own files, or without any the entries of its `package.json`. */
const termsOf = (folder: string): string => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as About
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && LEGAL.test(file.name))
  const texts = files.map((file) => readFileSync(join(folder, file.name), 'utf8').trim())
  const holder = typeof author === 'object' ? author.name : author
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [`by ${holder ?? 'its authors'}`])].join(
    '\n\n',
  )
}

const isPackage = (folder: string): boolean => existsSync(join(folder, 'package.json'))

/** Writes the licences of all bundled packages into a file. */
export const licences: Plugin = {
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

const docsAssetFiles: readonly string[] = [resolve('@scalar/fastify-api-reference')]

/**
 * Returns the script of the documentation page from the renderer's Fastify plugin, which contains it bundled; the
 * renderer's own package depends on 366 others.
 */
const referenceScript = async (): Promise<string> => {
  const server = fastify()
  await server.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject('/docs/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the script of the documentation page got ${statusCode}`)
  return body.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')
}

/** Writes the script of the documentation page into `assets`, compressed as it is sent. */
export const docsAssets: Plugin = {
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

const fontAssetFiles: readonly string[] = [FONTKIT, ...fonts]

/** Writes the fonts of PDF documents into `assets`, compressed, and fontkit, minified. */
export const fontAssets: Plugin = {
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

const panelAssetFiles: readonly string[] = [
  'chart.js',
  '@kurkle/color',
  'preact',
  '@preact/signals',
  '@preact/signals-core',
].map((name) => resolve(name))

/** Builds the scripts of the panels and writes them into `assets`, compressed as they are sent. */
export const panelAssets: Plugin = {
  name: 'panel-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      for (const { file, source } of Object.values(PANEL_SCRIPTS)) {
        const { outputFiles } = await building.esbuild.build({
          entryPoints: [join(process.cwd(), source)],
          bundle: true,
          minify: true,
          format: 'iife',
          platform: 'browser',
          target: 'es2022',
          charset: 'utf8',
          write: false,
          legalComments: 'none',
        })
        for (const { contents } of outputFiles) await writeFile(join(folder, file), gzipSync(contents))
      }
    })
  },
}
