import type { Fresh } from '../../kernel/running/use-case.ts'
import type { Digest } from '../../ports/runtime.ts'
import { LONG } from '../access/code-tries.ts'

export const RECOVERY_CODES = 10
/** 80 random bits: a digest of them cannot be searched, so that no slow hash is needed. */
const CHARACTERS = 16
const GROUP = /.{4}(?=.)/g

const digestOf = ({ sha256 }: Pick<Digest, 'sha256'>, userId: number, bare: string): string =>
  sha256(`recovery|${userId}|${bare}`)

/** Draws ten recovery codes, in groups of four characters, and their digests. */
export const drawRecoveryCodes = (
  digest: Pick<Digest, 'sha256'>,
  userId: number,
  fresh: Pick<Fresh, 'text'>,
): { readonly codes: readonly string[]; readonly digests: string[] } => {
  const bare = Array.from({ length: RECOVERY_CODES }, () => fresh.text(LONG.alphabet, CHARACTERS))
  return {
    codes: bare.map((code) => code.replace(GROUP, '$&-')),
    digests: bare.map((code) => digestOf(digest, userId, code)),
  }
}

/** Returns the digests that are left after a recovery code was used; null if it is none of them. */
export const matchRecoveryCode = (
  digest: Pick<Digest, 'sha256' | 'equal'>,
  userId: number,
  digests: readonly string[],
  bare: string,
): readonly string[] | null => {
  const typed = digestOf(digest, userId, bare)
  const left = digests.filter((each) => !digest.equal(each, typed))
  return left.length < digests.length ? left : null
}
