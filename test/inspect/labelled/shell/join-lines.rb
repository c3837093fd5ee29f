#!/usr/bin/env ruby
# Join two texts.
if ARGV.length < 2
  warn "Usage: join-lines.rb LEFT RIGHT [SEPARATOR]"
  exit 1
end
left, right = ARGV[0], ARGV[1]
separator = ARGV[2] || " "
puts [left, right].join(separator)
