#!/usr/bin/env ruby
# Count words in files.
require 'optparse'

options = { limit: 10, format: 'text' }
OptionParser.new do |opts|
  opts.banner = "Usage: count-words.rb [options] FILE [LANGUAGE]"
  opts.on("-l", "--limit N", Integer, "How many words to print") { |n| options[:limit] = n }
  opts.on("-f", "--format FORMAT", %w[text json], "How to print") do |f|
    options[:format] = f
  end
  opts.on("--[no-]stem", "Cut endings") { |s| options[:stem] = s }
  opts.on("-s", "--stop-words FILE", "Words to leave out") { |f| options[:stop] = f }
  opts.on("-h", "--help", "Show this") { puts opts; exit }
end.parse!

abort "stop words missing" unless options[:stop]
if ARGV.empty?
  abort "file missing"
end
file = ARGV[0]
language = ARGV[1] || "en"
puts File.read(file)
