#!/usr/bin/perl
use strict;
use warnings;
use Getopt::Long;
# Rename files by a pattern.
my $from;
my $to = 'x';
my $depth = 3;
my @skip;
my $verbose = 0;
GetOptions(
    'from|f=s'  => \$from,
    'to=s'      => \$to,
    'depth=i'   => \$depth,
    'skip=s'    => \@skip,
    'verbose|v+' => \$verbose,
    'dry-run!'  => \my $dry,
    'help'      => sub { usage() },
) or die "bad options\n";
die "--from is missing\n" unless defined $from;
die "Usage: rename.pl [options] FILE...\n" unless @ARGV;
for my $file (@ARGV) { print "$file\n"; }
