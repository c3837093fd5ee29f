/** What each command shows at the end of its help. */
export const EXAMPLES = {
  main: `
Examples:
  skillwright list --source ./skills
  skillwright call calculator.add -- 1 2 3
  skillwright doctor ./skills

Exit codes: 0 done, 1 the call or check failed, 2 wrong usage, 124 timeout, 130 interrupted.`,
  list: `
Examples:
  skillwright list
  skillwright list --source ./skills --json`,
  show: `
Example:
  skillwright show calculator.add`,
  call: `
Examples:
  skillwright call calculator.add -- 1 2 3
  skillwright call json-tools.format --args '{"data": {"b": 1, "a": 2}}'
  skillwright call json-tools.format --args @request.json --json`,
  ls: `
Examples:
  skillwright ls
  skillwright ls documents/pdf
  skillwright ls --query "resize a picture" --limit 5 --json`,
  search: `
Examples:
  skillwright search resize a picture
  skillwright search "rename a symbol" --in coding/refactoring
  skillwright search oauth login --nodes`,
  expand: `
Example:
  skillwright expand calculator.add`,
  audit: `
Examples:
  skillwright audit
  skillwright audit --trace 3f2a
  skillwright audit --json`,
  skill: `
Example:
  skillwright skill release-notes 1.2.0 developers`,
  mcp: `
Examples:
  skillwright mcp --source ./skills
  skillwright mcp --source ./skills --pin calculator.add
  skillwright mcp --mode flat --role teacher`,
  config: `
Examples:
  skillwright config
  skillwright config claude-code --source ./skills > .mcp.json
  skillwright config vscode --http http://127.0.0.1:8080/mcp`,
  import: `
Sources: a folder, .zip, .skill or .tar.gz, a git repository (its last commit), a marketplace, a site with an index of skills.
Write //folder after a source to take only that folder, and #ref after a git repository for a branch, tag or commit.

Examples:
  skillwright import ./downloads/pdf-tools.skill
  skillwright import https://github.com/owner/repository.git//skills#v2 pdf docx
  skillwright import git@example.com:team/marketplace.git --all
  skillwright import https://example.com --into ./skills`,
  update: `
Examples:
  skillwright update
  skillwright update pdf --force`,
  remove: `
Example:
  skillwright remove pdf`,
  policy: `
Examples:
  skillwright policy
  skillwright policy strict --json
  skillwright policy --tool pdf.extract`,
  review: `
Examples:
  skillwright review pdf
  skillwright review ./downloads/pdf-tools.skill
  skillwright review ./more-skills --json`,
  trust: `
Examples:
  skillwright trust pdf
  skillwright trust weather --network api.example.com:443 --env WEATHER_KEY
  skillwright trust notes --policy balanced`,
  untrust: `
Example:
  skillwright untrust pdf`,
  compile: `
Examples:
  skillwright compile ./skills
  skillwright compile ./skills --watch`,
  validate: `
Example:
  skillwright validate ./skills/pdf/tool-manifest.yaml`,
  serve: `
Anything but loopback needs tokens: servers.tokens in a file that is named with --config.

Examples:
  skillwright serve --source ./skills
  skillwright serve --port 0 --json
  skillwright serve --config server.yaml --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem`,
  doctor: `
Examples:
  skillwright doctor
  skillwright doctor ./skills --json`,
}
