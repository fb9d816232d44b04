import { zippedAsset } from '../pages/asset.ts'

/** The script of the documentation page, compressed: made when the rest is built. */
export const REFERENCE = 'reference.js.gz'

/** The script of the documentation page, compressed by gzip; read when it is first asked for. */
export const referenceScript = (): Promise<Buffer> => zippedAsset(REFERENCE)
