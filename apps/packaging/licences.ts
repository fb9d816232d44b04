import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Options } from 'tsup'
import { docsAssetFiles } from './docs-assets.ts'
import { fontAssetFiles } from './font-assets.ts'
import { panelAssetFiles } from './panel-assets.ts'

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
