// SPDX-License-Identifier: Zlib
/// \file static_main.cpp
/// A program that has Bullet inside, as far as its files tell.
extern "C" int runClient( const char* name );

int main()
{
    return runClient( "" );
}
