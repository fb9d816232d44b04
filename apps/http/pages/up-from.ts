/** Where a page of ours leads within this server, whatever a server that has it in it calls that place. */
export const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 2)
